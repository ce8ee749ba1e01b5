import type { TotpSecret } from '@/client/types.gen'
import { copyText } from '@/browser/copy-text'
import { lazyPart } from '../lazy'
import { Button } from '../ui/button'

const QrCode = lazyPart(async () => (await import('./qr-code')).QrCode, { preload: false })

export function AppSecret({ secret: { secret, uri } }: { secret: TotpSecret }) {
  return (
    <>
      <div className="min-h-48">
        <QrCode text={uri} onFailure={() => undefined} />
      </div>
      <p className="mt-4 text-muted-foreground">Or type this key into the app:</p>
      <div className="mt-1.5 mb-4 flex items-center gap-2">
        <code className="min-w-0 flex-1 rounded-md border bg-muted px-3 py-1.5 font-mono wrap-break-word">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
        <Button variant="secondary" aria-label="Copy Key" onClick={() => void copyText(secret, 'Key copied.')}>
          Copy
        </Button>
      </div>
    </>
  )
}
