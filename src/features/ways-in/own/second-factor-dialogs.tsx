import { useState } from 'react'
import * as z from 'zod/mini'
import { usersConfirmTotp, usersCreateRecoveryCodes, usersDeleteTotp } from '@/client/sdk.gen'
import type { TotpSecret } from '@/client/types.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { Dialog, DialogBody, DialogFooter, DialogForm } from '@/components/dialog/dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { CodeField, SubmitError } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { AppSecret } from '@/components/second-factor/app-secret'
import { askToSave, RecoveryCodes, recoveryCodesText } from '@/components/second-factor/recovery-codes'
import { Button } from '@/components/ui/button'
import type { PageDialogControl } from '@/components/page-dialogs'
import { toast } from '@/browser/toast'
import { appCode } from '@/lib/validation/rules'

const schema = z.object({ code: appCode() })

/** Not a `FormDialog`, because a draft would store the code. */
export function SetUpDialog({ secret, ...control }: PageDialogControl & { secret: TotpSecret }) {
  const form = useZodForm(schema, { code: '' })
  const { result, onCodes, onClose } = useNewCodes(control)
  const confirm = useSave(form, {
    send: async (body) => (await usersConfirmTotp({ body })).data.recovery_codes,
    meta: { failure: 'form', invalidates: ['users'] },
    onSaved: onCodes,
    onError: () => form.setFocus('code', { shouldSelect: true }),
  })
  return (
    <Dialog
      {...control}
      onClose={onClose}
      title={result ? 'Recovery Codes' : 'Set Up Two-Step Login'}
      keepOpen={() => true}
      onOpenFocus={() => form.setFocus('code')}
    >
      {result ?? (
        <DialogForm onSubmit={confirm.onSubmit}>
          <DialogBody description="Scan the QR code with an authenticator app, and enter the code that it shows.">
            <AppSecret secret={secret} />
            <CodeField
              control={form.control}
              name="code"
              onComplete={confirm.submit}
              footnote={<SubmitError error={confirm.error} />}
            />
          </DialogBody>
          <DialogFooter onCancel={onClose}>
            <Button type="submit" pending={confirm.pending}>
              Verify
            </Button>
          </DialogFooter>
        </DialogForm>
      )}
    </Dialog>
  )
}

export function NewCodesDialog(control: PageDialogControl) {
  const { result, onCodes, onClose } = useNewCodes(control)
  return (
    <Confirm
      {...control}
      onClose={onClose}
      title="New Recovery Codes"
      description="You get ten new codes. The old ones no longer work."
      action="Make New Codes"
      variant="primary"
      send={async () => (await usersCreateRecoveryCodes()).data.recovery_codes}
      meta={{ invalidates: ['users'] }}
      onDone={onCodes}
      result={result}
    />
  )
}

export function TurnOffDialog(control: PageDialogControl) {
  return (
    <Confirm
      {...control}
      title="Turn Off Two-Step Login"
      description="You log in without a code of your app. Your recovery codes no longer work."
      action="Turn Off"
      send={() => ignoreNotFound(usersDeleteTotp())}
      meta={{ success: 'Two-step login is off.', invalidates: ['users'] }}
    />
  )
}

function useNewCodes({ isCurrent, onDone, onClose }: PageDialogControl) {
  const [codes, setCodes] = useState<string[] | null>(null)
  const [isSaved, setIsSaved] = useState(false)
  return {
    onCodes: (made: string[]) => {
      if (isCurrent()) setCodes(made)
      else
        toast.error(
          'Your recovery codes were not shown, because the dialog was closed.',
          'New Recovery Codes gives you others.',
        )
    },
    onClose: codes && !isSaved ? askToSave : onClose,
    result: codes ? (
      <>
        <DialogBody description={recoveryCodesText}>
          <RecoveryCodes codes={codes} isSaved={isSaved} onSavedChange={setIsSaved} />
        </DialogBody>
        <DialogFooter>
          <Button disabled={!isSaved} onClick={() => void onDone()}>
            Done
          </Button>
        </DialogFooter>
      </>
    ) : undefined,
  }
}
