import type { FilePublic } from '@/client/types.gen'
import { download } from './upload'
import { useRequest } from '@/data/api/use-request'
import { UserText } from '@/components/ui/user-text'

export function FileLink({ file }: { file: FilePublic }) {
  const { pending, send } = useRequest({ mutationFn: () => download(file), meta: { invalidates: [] } })
  return (
    <button
      type="button"
      aria-busy={pending || undefined}
      className="inline-flex min-h-6 max-w-full items-center align-middle rounded text-left underline decoration-input underline-offset-2 hover:decoration-current pointer-coarse:min-h-11 cards:pointer-coarse:-my-2"
      title="Download"
      onClick={() => send()}
    >
      <UserText show="cell">{file.name}</UserText>
    </button>
  )
}
