import ts from 'typescript'

/** Edits a source file at named syntax nodes. An edit throws an error unless its place exists exactly once. */
export class Source {
  readonly path: string
  private edits: { from: number; to: number; text: string }[] = []
  private readonly file: ts.SourceFile
  private readonly text: string

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  }

  /** Replaces the value of a property or of a variable. */
  setValue(name: string, text: string): this {
    const declaration = this.find(
      (node) => (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && nameOf(node) === name,
      name,
    ) as ts.PropertyAssignment | ts.VariableDeclaration
    return this.replace(declaration.initializer ?? declaration, text)
  }

  /** Replaces the elements of a list, from an index on. */
  setElements(name: string, from: number, text: string): this {
    const declaration = this.find(
      (node) => (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && nameOf(node) === name,
      name,
    )
    const list = (declaration as ts.PropertyAssignment).initializer as ts.ArrayLiteralExpression
    return this.edit(list.elements[from]?.getStart() ?? list.end, list.elements.end, text)
  }

  /** Replaces the members of an interface, except the first and last ones to keep. */
  setMembers(name: string, text: string, keep: { first: number; last: number } = { first: 0, last: 0 }): this {
    const { members } = this.find(
      (node) => ts.isInterfaceDeclaration(node) && nameOf(node) === name,
      name,
    ) as ts.InterfaceDeclaration
    return this.edit(members[keep.first]?.getStart() ?? 0, members[members.length - 1 - keep.last]?.end ?? 0, text)
  }

  setType(name: string, text: string): this {
    const alias = this.find((node) => ts.isTypeAliasDeclaration(node) && nameOf(node) === name, name)
    return this.replace((alias as ts.TypeAliasDeclaration).type, text)
  }

  /** Replaces the body of a function, with its braces. */
  setBody(name: string, text: string): this {
    const { body } = this.find(
      (node) => ts.isFunctionDeclaration(node) && nameOf(node) === name,
      name,
    ) as ts.FunctionDeclaration
    if (!body) throw this.missing(name)
    return this.replace(body, text)
  }

  /** Replaces a text. */
  set(old: string, text: string): this {
    const from = this.text.indexOf(old)
    if (from === -1 || this.text.includes(old, from + 1)) throw this.missing(old)
    return this.edit(from, from + old.length, text)
  }

  /** Copies the statement, import, member, property or element with this name and inserts the changed copy after it. */
  copy(name: string, change: (text: string) => string): this {
    const node = this.find((candidate) => isListed(candidate) && nameOf(candidate) === name, name)
    return this.edit(node.end, node.end, `${isElement(node) ? ',' : '\n'}${change(node.getFullText())}`)
  }

  toString(): string {
    let text = this.text
    for (const edit of this.edits.toSorted((a, b) => b.from - a.from))
      text = text.slice(0, edit.from) + edit.text + text.slice(edit.to)
    return text
  }

  private replace(node: ts.Node, text: string): this {
    return this.edit(node.getStart(), node.end, text)
  }

  private edit(from: number, to: number, text: string): this {
    this.edits.push({ from, to, text })
    return this
  }

  private find(matches: (node: ts.Node) => boolean, name: string): ts.Node {
    const found: ts.Node[] = []
    const visit = (node: ts.Node): void => {
      if (matches(node)) found.push(node)
      ts.forEachChild(node, visit)
    }
    visit(this.file)
    const [node] = found
    if (!node || found.length > 1) throw this.missing(name)
    return node
  }

  private missing(name: string): Error {
    return new Error(`${this.path} does not contain “${name}” exactly once: adapt scripts/new/resource.ts`)
  }
}

function isListed(node: ts.Node): boolean {
  // Imports from a file of items are copied as a whole.
  if (ts.isImportSpecifier(node)) return !/items/.test(nameOf(node.parent.parent.parent) ?? '')
  return isStatement(node) || isElement(node) || ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)
}

function isStatement(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) || ts.isVariableStatement(node) || ts.isInterfaceDeclaration(node)
}

/** Elements of lists are separated by commas. */
function isElement(node: ts.Node): boolean {
  const isInArray = !ts.isSourceFile(node) && ts.isArrayLiteralExpression(node.parent)
  return isInArray || ts.isPropertyAssignment(node) || ts.isSpreadAssignment(node) || ts.isImportSpecifier(node)
}

/** The name by which an edit finds a node. For an object in a list, it is the value of its property `url` or `tag`. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node)) return (node.moduleSpecifier as ts.StringLiteral).text
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText()
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) return node.expression.getText().replaceAll(/\s+/g, '')
  if (ts.isObjectLiteralExpression(node)) {
    const key = node.properties.find((property) => /^(url|tag)$/.test(property.name?.getText() ?? ''))
    return key && ts.isPropertyAssignment(key) ? key.initializer.getText().slice(1, -1) : undefined
  }
  const { name } = node as { name?: ts.Node }
  if (name) return ts.isStringLiteral(name) ? name.text : name.getText()
  return ts.isIdentifier(node) ? node.text : undefined
}
