import { useMutation } from '@tanstack/react-query'
import type { FilePublic } from '@/client/types.gen'
import { download } from '@/data/api/upload'
import { textLink } from './ui/classes'
import { UserText } from './ui/user-text'

/** The name of a file. A press saves it. */
export function FileLink({ file }: { file: FilePublic }) {
  const { isPending, mutate } = useMutation({ mutationFn: () => download(file), meta: { invalidates: [] } })
  return (
    <button
      type="button"
      aria-busy={isPending || undefined}
      className={`${textLink} max-w-full text-left`}
      title="Download"
      onClick={() => isPending || mutate()}
    >
      <UserText show="two lines">{file.name}</UserText>
    </button>
  )
}
