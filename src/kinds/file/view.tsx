import type { FilePublic } from '@/client/types.gen'
import { sizeText } from '@/lib/file-text'
import { FileLink } from './cell'
import { usePreview } from './preview'

export function FileView({ file }: { file: FilePublic }) {
  const preview = usePreview(file)
  return (
    <span className="flex flex-wrap items-center gap-3">
      {preview !== undefined && <img src={preview} alt="" className="size-24 rounded-md border object-cover" />}
      <span className="min-w-0 flex-1">
        <FileLink file={file} />
        <span className="block text-xs text-muted-foreground">{sizeText(file.size)}</span>
      </span>
    </span>
  )
}
