import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { ApiTokenNameSchema } from '@/client/schemas.gen'
import { usersCreateToken } from '@/client/sdk.gen'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { FormDialog } from '@/components/dialog/form-dialog'
import { ASK_TO_SAVE, ShownOnce } from '@/components/dialog/shown-once'
import { SelectField, TextField } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import type { PageDialogControl } from '@/components/page-dialogs'
import { copyText } from '@/browser/copy-text'
import { takeFocus } from '@/browser/focus-heading'
import { serverNow } from '@/data/api/setup'
import { dayText } from '@/lib/time-text'
import { localDay } from '@/lib/local-day'
import { toast } from '@/browser/toast'
import { countText } from '@/lib/text'
import { requiredText } from '@/lib/validation/rules'
import { scopeText } from '../scope-text'

const DAY = 86_400_000

const scopes = ['read', 'write'] as const
const lifetimes = ['1', '7', '30', '90', '365'] as const

const schema = z.object({
  name: requiredText('Name is required', ApiTokenNameSchema),
  scope: z.enum(scopes),
  days: z.enum(lifetimes),
})

const expiryOf = (days: string): string => new Date(serverNow() + Number(days) * DAY).toISOString()

export function CreateTokenDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(schema, { name: '', scope: 'read', days: '30' })
  const chosen = useWatch({ control: form.control, name: 'days' })
  const [token, setToken] = useState<string | null>(null)
  const [isSaved, setIsSaved] = useState(false)
  const create = useSave(form, {
    send: async ({ name, scope, days }) =>
      (await usersCreateToken({ body: { name, scope, expires_at: expiryOf(days) } })).data,
    meta: { invalidates: ['users'] },
    onSaved: (created) => {
      if (control.isCurrent()) setToken(created.token)
      else toast.error('Your token was not shown, because the dialog was closed.', 'Revoke it, and create another one.')
    },
  })
  return (
    <FormDialog
      {...control}
      {...create}
      onClose={token !== null && !isSaved ? askToSave : control.onClose}
      title={token === null ? 'Create Token' : 'Your Token'}
      description="Whoever has the token can act as you until it expires or you revoke it."
      saveLabel="Create Token"
      result={
        token === null ? undefined : (
          <>
            <DialogBody description="Copy it to your program now, and share it with no one else. It is not shown again.">
              <code
                ref={takeFocus}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it gets the focus
                tabIndex={-1}
                role="note"
                aria-label="Token"
                className="block rounded-md border bg-muted px-4 py-3 font-mono break-all select-all"
              >
                {token}
              </code>
              <div className="mt-3 flex">
                <Button variant="secondary" onClick={() => void copyText(token, 'Token copied.')}>
                  Copy
                </Button>
              </div>
              <ShownOnce label="I have saved this token" isSaved={isSaved} onSavedChange={setIsSaved} ask={askToSave} />
            </DialogBody>
            <DialogFooter>
              <Button disabled={!isSaved} onClick={() => void onDone()}>
                Done
              </Button>
            </DialogFooter>
          </>
        )
      }
    >
      <TextField control={form.control} name="name" label="Name" required autoComplete="off" />
      <SelectField control={form.control} name="scope" label="Access" values={scopes} textOf={scopeText} />
      <SelectField
        control={form.control}
        name="days"
        label="Expires after"
        values={lifetimes}
        textOf={(days) => (days === '365' ? '1 year' : countText(Number(days), 'day'))}
        footnote={<p className="text-muted-foreground">{`On ${dayText(localDay(expiryOf(chosen)))}`}</p>}
      />
    </FormDialog>
  )
}

function askToSave(): void {
  toast.error('Save your token first.', 'It is not shown again.', ASK_TO_SAVE)
}
