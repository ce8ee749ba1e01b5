export const controlHeight = 'h-9 pointer-coarse:h-11'

/** The text has 16 px on touch screens, because phones zoom in on smaller inputs. */
export const fieldClass =
  'block w-full rounded-md border border-input bg-background px-3 text-sm text-foreground pointer-coarse:text-base ' +
  'placeholder:text-muted-foreground aria-invalid:border-destructive disabled:cursor-not-allowed disabled:opacity-50'

export const skipLink =
  'fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-primary px-4 py-3 font-medium text-primary-foreground focus:translate-y-0'

/** A link that is not in a sentence. On touch screens it is as tall as a button. */
export const plainLink =
  'inline-flex min-h-6 items-center rounded underline-offset-4 hover:underline pointer-coarse:min-h-11 pointer-coarse:min-w-11'

/** A `plainLink` beside other text, from which the underline distinguishes it. */
export const textLink = `${plainLink} underline decoration-input hover:decoration-current`

export const searchIcon = 'pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground'
