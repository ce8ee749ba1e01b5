import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import type { FilePublic } from '@/client/types.gen'
import { errorMessage, errorNote, isSilent } from '@/data/api/errors'
import { uploadFile } from './upload'
import { givenFile } from '@/data/given-file'
import { fileIn, fileText, SENDING, sizeText } from '@/lib/file-text'
import { Button, buttonClass } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useDroppedFile } from '@/components/use-dropped-file'
import { Field, type FieldProps } from '@/components/form/field'
import { isImage, previewOf, storePreview } from './preview'
import { FileView } from './view'

interface Upload {
  file: File
  /** The part that is sent, between 0 and 1. */
  part: number
}

/** Sends a file as soon as it is chosen, dropped or pasted. Saving the form links the file to the row. */
export function FileField<Values extends FieldValues>(props: FieldProps<Values>) {
  const queryClient = useQueryClient()
  const { field } = useController({ control: props.control, name: props.name })
  const value = field.value as string
  const file = fileIn(value)
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<Upload | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [sent, setSent] = useState<string | null>(null)
  const before = useRef('')
  const end = useRef<AbortController>(null)

  // The value comes from a draft that was kept while a file was being sent.
  useEffect(() => {
    if (value !== SENDING || end.current) return
    field.onChange('')
    setFailure('The file was not sent. Choose it again.')
    // oxlint-disable-next-line react/exhaustive-deps -- for each value
  }, [value])

  useEffect(() => () => end.current?.abort(), [])

  async function send(chosen: File): Promise<void> {
    end.current?.abort()
    const own = new AbortController()
    end.current = own
    if (value !== SENDING) before.current = value
    setFailure(null)
    setSending({ file: chosen, part: 0 })
    field.onChange(SENDING)
    try {
      const onProgress = (part: number) => setSending({ file: chosen, part })
      const stored = await uploadFile(chosen, { signal: own.signal, onProgress })
      const address = isImage(stored.type) ? await previewOf(chosen) : undefined
      own.signal.throwIfAborted()
      storePreview(queryClient, stored, address)
      field.onChange(fileText(stored))
      setSent(stored.id)
    } catch (error) {
      if (end.current !== own) return
      field.onChange(before.current)
      if (!own.signal.aborted && !isSilent(error))
        setFailure([errorMessage(error, 'The file was not sent.'), errorNote(error)].filter(Boolean).join(' '))
    }
    end.current = null
    setSending(null)
  }

  function take(given: DataTransfer): boolean {
    try {
      const chosen = givenFile(given)
      if (chosen) void send(chosen)
      return chosen !== undefined
    } catch (error) {
      setFailure(errorMessage(error))
      return true
    }
  }

  const zone = useRef<HTMLDivElement>(null)
  const isOver = useDroppedFile(() => zone.current, take)

  function remove(): void {
    if (sending) end.current?.abort()
    else field.onChange('')
    setFailure(null)
    input.current?.focus()
  }

  return (
    <Field {...props} footnote={<span role="alert">{failure}</span>}>
      {(state) => (
        <div
          ref={zone}
          className={clsx(
            'flex flex-wrap items-center gap-3 rounded-md border border-dashed border-input p-2',
            isOver && 'bg-muted',
          )}
          onPaste={(event) => {
            if (take(event.clipboardData)) event.preventDefault()
          }}
        >
          <FileOrProgress sending={sending} file={file} />
          <output className="sr-only">{sent !== null && sent === file?.id ? `${file.name} was sent` : ''}</output>
          <span className="ml-auto flex flex-wrap gap-2">
            <input
              {...state}
              ref={(element) => {
                input.current = element
                field.ref(element)
              }}
              type="file"
              className="peer sr-only"
              onBlur={field.onBlur}
              onChange={({ currentTarget }) => {
                const [chosen] = currentTarget.files ?? []
                if (chosen) void send(chosen)
                // Without this, the browser would report no change if the user chose the same file again.
                currentTarget.value = ''
              }}
            />
            <label
              htmlFor={state.id}
              className={buttonClass(
                'secondary',
                'default',
                'cursor-pointer peer-focus-visible:outline-2 outline-offset-2 outline-ring',
              )}
            >
              {file || sending ? 'Replace' : 'Choose File'}
            </label>
            {(file || sending) && (
              <Button variant="secondary" aria-label={`${sending ? 'Stop' : 'Remove'} ${props.label}`} onClick={remove}>
                {sending ? 'Stop' : 'Remove'}
              </Button>
            )}
          </span>
        </div>
      )}
    </Field>
  )
}

function FileOrProgress({ sending, file }: { sending: Upload | null; file: FilePublic | undefined }) {
  if (sending) {
    const percent = Math.floor(sending.part * 100)
    return (
      <span className="min-w-0 flex-1">
        <UserText show="one line">{sending.file.name}</UserText>
        <progress
          aria-label="Sending"
          max={100}
          value={percent}
          className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-muted [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-primary"
        />
        <span className="text-xs text-muted-foreground">{`${percent} % of ${sizeText(sending.file.size)}`}</span>
      </span>
    )
  }
  if (file) return <FileView file={file} isSmall />
  return <span className="hidden text-muted-foreground pointer-fine:inline">or drop or paste one here</span>
}
