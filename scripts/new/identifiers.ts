import ts from 'typescript'

/** Whether a word is a valid name for a variable. */
export function isIdentifierName(word: string): boolean {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, word)
  return scanner.scan() === ts.SyntaxKind.Identifier && scanner.getTokenText() === word && word !== 'undefined'
}
