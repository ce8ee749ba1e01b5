// What several primitives share.

export const controlHeight = 'h-9 pointer-coarse:h-11'

/** 16 px on touch screens: below that, phones zoom in on focus. */
export const inputLook =
  'block w-full rounded-md border border-input bg-background px-3 text-sm text-foreground pointer-coarse:text-base ' +
  'placeholder:text-muted-foreground aria-invalid:border-destructive disabled:cursor-not-allowed disabled:opacity-50'
