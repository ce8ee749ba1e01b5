/** A link alone in a cell or line, which is as tall as a button on touch screens. */
export const textLink =
  'inline-flex min-h-6 items-center rounded underline decoration-input underline-offset-4 hover:decoration-current ' +
  'pointer-coarse:min-h-11 pointer-coarse:min-w-11'
