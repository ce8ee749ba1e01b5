import ts from 'typescript'

export type ListKind = 'members' | 'properties' | 'elements' | 'bindings' | 'children' | 'arguments' | 'union'

export const byName = (a: string, b: string): number =>
  a.replace('type ', '').toLowerCase() < b.replace('type ', '').toLowerCase() ? -1 : 1

export function descendants(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [node]
  ts.forEachChild(node, (child) => void found.push(...descendants(child)))
  return found
}

export const separators: Record<ListKind, string> = {
  members: '\n',
  properties: ', ',
  elements: ', ',
  bindings: ', ',
  children: '\n',
  arguments: ', ',
  union: ' | ',
}

export const isList: Record<ListKind, (node: ts.Node) => boolean> = {
  members: ts.isInterfaceDeclaration,
  properties: ts.isObjectLiteralExpression,
  elements: ts.isArrayLiteralExpression,
  bindings: ts.isObjectBindingPattern,
  children: ts.isJsxFragment,
  arguments: ts.isCallExpression,
  union: ts.isUnionTypeNode,
}

export function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isGetAccessor(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  )
}

export function valueOf(declaration: ts.Node): ts.Node {
  const value = 'initializer' in declaration ? (declaration as ts.VariableDeclaration).initializer : declaration
  const body = value && 'body' in value ? (value as ts.ArrowFunction).body : value
  return (body && ts.isBlock(body) && body.statements.findLast(ts.isReturnStatement)) || body || declaration
}

/** Whether an entry is no field: a spread, or what all rows have. */
export function isCommon(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) return true
  return /^(id|owner_id|created_at|updated_at|\w+_search)$/.test(nameOf(node) ?? '')
}

export function isElementNamed(node: ts.Node, name: string): boolean {
  if (!ts.isJsxSelfClosingElement(node) && !ts.isJsxElement(node)) return false
  const { attributes } = ts.isJsxElement(node) ? node.openingElement : node
  return attributes.properties.some(
    (attribute) =>
      ts.isJsxAttribute(attribute) &&
      attribute.name.getText() === 'name' &&
      attribute.initializer?.getText() === `"${name}"`,
  )
}

export function tagOf(node: ts.ObjectLiteralExpression): string | undefined {
  const tag = node.properties.find((property) => nameOf(property) === 'tag')
  return tag && ts.isPropertyAssignment(tag) ? tag.initializer.getText().slice(1, -1) : undefined
}

export function nameOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node)) return (node.moduleSpecifier as ts.StringLiteral).text
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText()
  const { name } = node as { name?: ts.Node }
  if (name) return ts.isStringLiteral(name) ? name.text : name.getText()
  return ts.isIdentifier(node) ? node.text : undefined
}
