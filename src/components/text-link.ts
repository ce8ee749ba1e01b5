/** For a link that stands alone in a cell or line. On touch screens it is as tall as a button. */
export const textLink =
  'inline-flex min-h-6 items-center rounded underline decoration-input underline-offset-4 hover:decoration-current ' +
  'pointer-coarse:min-h-11 pointer-coarse:min-w-11'
