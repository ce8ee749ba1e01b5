import { errorMessage, errorNote } from '@/data/api/errors'

export function SubmitError({ error }: { error: unknown }) {
  return (
    <p role="alert" className="whitespace-pre-line">
      {error !== null && [errorMessage(error), errorNote(error)].filter(Boolean).join('\n')}
    </p>
  )
}
