import ts from 'typescript'
import { descendants, nameOf } from './syntax.ts'

const isTest = (node: ts.Node): boolean => ts.isExpressionStatement(node) && /^test\b/.test(node.expression.getText())

/** Entries that a comma or an operator separates. */
function isElement(node: ts.Node): boolean {
  const { parent } = node
  return (
    ts.isImportSpecifier(node) ||
    ts.isExportSpecifier(node) ||
    ts.isObjectLiteralElement(node) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isUnionTypeNode(parent) ||
    (ts.isBindingElement(node) && ts.isObjectBindingPattern(parent)) ||
    (ts.isParameter(node) && node.parent.parameters.at(-1) === node) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.BarBarToken)
  )
}

function isEntry(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isStatement(node)) return 'statements' in parent
  return (
    isElement(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node) ||
    ts.isJsxAttribute(node) ||
    (ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(parent) && parent.declarations.length > 1) ||
    ((ts.isJsxElement(parent) || ts.isJsxFragment(parent)) && ts.isJsxChild(node) && !ts.isJsxText(node))
  )
}

/** The node and what contains it, up to a statement of the file. */
function chainOf(node: ts.Node): ts.Node[] {
  const chain: ts.Node[] = []
  for (let at = node; !ts.isSourceFile(at); at = at.parent) chain.push(at)
  return chain
}

/** Whether it is the table of `test.each` or `describe.each`. */
const isTable = (node: ts.Node): boolean =>
  ts.isArrayLiteralExpression(node) &&
  ts.isCallExpression(node.parent) &&
  node.parent.expression.getText().endsWith('.each')

const isInTests = (node: ts.Node): boolean => /\.(test|spec)\.tsx?$/.test(node.getSourceFile().fileName)

const isDescription = (node: ts.Node): boolean => ts.isArrowFunction(node) && /^describe\b/.test(node.parent.getText())

const isHelper = (node: ts.Node): boolean =>
  (ts.isFunctionDeclaration(node) || ts.isVariableStatement(node)) &&
  (ts.isSourceFile(node.parent) || isDescription(node.parent.parent))

function helperAround(statement: ts.Node): ts.Node | undefined {
  const [, outer] = chainOf(statement.parent).filter(ts.isFunctionLike)
  return !outer || isDescription(outer) ? chainOf(statement.parent).find(isHelper) : undefined
}

/** The smallest entry around a node. Of what a test does, it is the test; of what describes a row, the row. */
function entryAround(node: ts.Node): ts.Node | undefined {
  const chain = chainOf(node)
  const entry = chain.find(isEntry)
  if (!entry) return undefined
  const row = chain.find(({ parent }) => isTable(parent))
  const test = chain.find(isTest) ?? (isInTests(node) && ts.isStatement(entry) ? helperAround(entry) : undefined)
  if (row || test) return row ?? test
  // `title: 'Items'` says what the object is, and `title="Items"` the element.
  const isName = ts.isStringLiteral(node) && (ts.isPropertyAssignment(node.parent) || ts.isJsxAttribute(node.parent))
  const outer = isName ? node.parent.parent : undefined
  if (outer && ts.isObjectLiteralExpression(outer) && isEntry(outer)) return outer
  // Of `getByRole('link', { name: 'Items' })`, nothing is left.
  if (outer && ts.isCallExpression(outer.parent)) return entryAround(outer)
  if (outer && ts.isJsxAttributes(outer)) return chain.find((one) => isEntry(one) && !ts.isJsxAttribute(one))
  return entry
}

function emptied(entry: ts.Node): ts.Node | undefined {
  const { parent } = entry
  if (ts.isNamedImports(parent) || ts.isNamedExports(parent) || ts.isObjectBindingPattern(parent) || isTable(parent))
    return parent
  if (!ts.isBlock(parent)) return undefined
  const owner = parent.parent
  return isDescription(owner) || ts.isIfStatement(owner) || ts.isIterationStatement(owner, false) ? parent : undefined
}

/** Removes the smallest entries around some nodes. @returns the text without them, and the first lines of removed tests */
export function removeEntries(
  path: string,
  text: string,
  isMention: (node: ts.Node) => boolean,
): { text: string; tests: string[] } {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const entries = new Set(
    descendants(file)
      .filter(isMention)
      .flatMap((node) => entryAround(node) ?? []),
  )
  // A set visits what is added meanwhile.
  for (const entry of entries) {
    const list = emptied(entry)
    const all: ts.Node[] = []
    if (list) ts.forEachChild(list, (child) => void all.push(child))
    const outer = list && all.every((one) => entries.has(one)) && chainOf(list.parent).find(isEntry)
    if (outer) entries.add(outer)
  }
  const outermost = [...entries].filter((entry) => !chainOf(entry.parent).some((outer) => entries.has(outer)))
  let left = text
  for (const entry of outermost.toSorted((a, b) => b.pos - a.pos)) {
    let before = left.slice(0, entry.pos)
    let after = left.slice(entry.end)
    const separator = /^\s*(,|\|\|?)/
    if (isElement(entry) && separator.test(after)) after = after.replace(separator, '')
    else if (isElement(entry)) before = before.replace(/\s*(,|\|\|?)\s*$/, '')
    left = before + after
  }
  const removed = outermost.flatMap((entry) => descendants(entry).filter(isTest))
  const tests = removed.map(titleOf)
  // The compiler takes `open` for that of the browser, once a helper of this name is gone.
  const gone = new Set(outermost.filter(isHelper).map(nameOf))
  if (gone.size === 0) return { text: left, tests }
  const others = removeEntries(path, left, (node) => ts.isIdentifier(node) && isReference(node) && gone.has(node.text))
  return { text: others.text, tests: [...tests, ...others.tests] }
}

const isReference = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) || ts.isArrayLiteralExpression(parent) || ts.isAwaitExpression(parent)

function titleOf(test: ts.Node): string {
  const title = descendants(test).find((node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
  return title?.getText().slice(1, -1) ?? ''
}
