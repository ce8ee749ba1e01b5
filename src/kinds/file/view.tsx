import { clsx } from 'clsx'
import type { FilePublic } from '@/client/types.gen'
import { sizeText } from '@/lib/file-text'
import { FileLink } from './cell'
import { usePreview } from './preview'

/** @param props.isSmall for the form field */
export function FileView({ file, isSmall = false }: { file: FilePublic; isSmall?: boolean }) {
  const preview = usePreview(file)
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-3">
      {preview !== undefined && (
        <img
          src={preview}
          alt=""
          className={clsx('object-cover', isSmall ? 'size-12 rounded' : 'size-24 rounded-md border')}
        />
      )}
      <span className="min-w-0 flex-1">
        <FileLink file={file} />
        <span className="block text-xs text-muted-foreground">{sizeText(file.size)}</span>
      </span>
    </span>
  )
}
