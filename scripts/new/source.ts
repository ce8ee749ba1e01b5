import ts from 'typescript'

/** The lists of syntax nodes that can be changed. */
export type ListKind = 'members' | 'properties' | 'elements' | 'bindings' | 'children'

/** Edits a source file at named syntax nodes. An edit throws an error unless its place exists exactly once. */
export class Source {
  readonly path: string
  private text: string
  private file: ts.SourceFile

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.file = parse(path, text)
  }

  /** Replaces the value of a property or of a variable. */
  setValue(name: string, text: string): this {
    const { initializer } = this.declaration(name) as ts.PropertyAssignment
    return this.replace(initializer, text)
  }

  setType(name: string, text: string): this {
    return this.replace((this.declaration(name) as ts.TypeAliasDeclaration).type, text)
  }

  /** Replaces the body of a function, with its braces. */
  setBody(name: string, text: string): this {
    return this.replace((this.declaration(name) as ts.FunctionDeclaration).body, text)
  }

  /** Replaces a text. */
  set(old: string, text: string): this {
    const from = this.text.indexOf(old)
    if (from === -1 || this.text.includes(old, from + 1)) throw this.missing(old)
    return this.edit(from, from + old.length, text)
  }

  has(name: string): boolean {
    return this.all((node) => isDeclaration(node) && nameOf(node) === name).length > 0
  }

  namesIn(name: string, kind: ListKind): (string | undefined)[] {
    return this.listIn(name, kind).nodes.map(nameOf)
  }

  /** Replaces the entries of the first list in a declaration that are not kept. @param kept how many at the beginning */
  setList(name: string, kind: ListKind, entries: readonly string[], kept = 0): this {
    const { nodes, end } = this.listIn(name, kind)
    const old = nodes.filter((node, index) => index >= kept && !isCommon(node))
    const [first] = old
    if (!first) return this.addTo(name, kind, entries)
    return this.edit(first.getStart(), old.at(-1)?.end ?? end, entries.join(separators[kind]))
  }

  /** Adds entries to the first list in a declaration, after the one with this name, or else after the last of its own. */
  addTo(name: string, kind: ListKind, entries: readonly string[], after?: string): this {
    if (entries.length === 0) return this
    const { nodes, end } = this.listIn(name, kind)
    const separator = separators[kind]
    const added = entries.join(separator)
    const previous =
      after === undefined ? nodes.findLast((node) => !isCommon(node)) : nodes.find((node) => nameOf(node) === after)
    if (!previous && after !== undefined) throw this.missing(after)
    if (previous) return this.edit(previous.end, previous.end, `${separator}${added}`)
    return this.edit(end, end, nodes.length > 0 ? `${separator}${added}` : added)
  }

  /** Adds markup after the element with this attribute `name`. */
  addAfterElement(name: string, text: string): this {
    const element = this.find((node) => isElementNamed(node, name), name)
    return this.edit(element.end, element.end, `\n${text}`)
  }

  /** Imports exactly these names from a module. */
  setImports(module: string, names: readonly string[]): this {
    const list = this.importsOf(module)
    if (!list) throw this.missing(module)
    return this.replace(list, `{ ${names.toSorted().join(', ')} }`)
  }

  /** Imports these names from a module, too. */
  addImports(module: string, names: readonly string[]): this {
    if (names.length === 0) return this
    const list = this.importsOf(module)
    if (list) {
      const all = new Map(list.elements.map((element) => [element.name.text, element.getText()]))
      for (const name of names) all.set(name, all.get(name) ?? name)
      return this.replace(list, `{ ${[...all.values()].toSorted(byName).join(', ')} }`)
    }
    const imports = this.file.statements.filter(ts.isImportDeclaration)
    const next = imports.find((node) => (nameOf(node) ?? '') > module && nameOf(node)?.startsWith('@/')) ?? imports[0]
    const at = next?.getStart() ?? 0
    return this.edit(at, at, `import { ${names.join(', ')} } from '${module}'\n`)
  }

  /** Copies the statement, import, member, property or element with this name and inserts the changed copy after it. */
  copy(name: string, change: (text: string) => string): this {
    const node = this.find((candidate) => isListed(candidate) && nameOf(candidate) === name, name)
    return this.edit(node.end, node.end, `${isElement(node) ? ',' : '\n'}${change(node.getFullText())}`)
  }

  toString(): string {
    return this.text
  }

  private replace(node: ts.Node | undefined, text: string): this {
    if (!node) throw this.missing(text)
    return this.edit(node.getStart(), node.end, text)
  }

  private edit(from: number, to: number, text: string): this {
    this.text = this.text.slice(0, from) + text + this.text.slice(to)
    this.file = parse(this.path, this.text)
    return this
  }

  private importsOf(module: string): ts.NamedImports | undefined {
    const found = this.file.statements.find(
      (node) => ts.isImportDeclaration(node) && nameOf(node) === module && !node.importClause?.phaseModifier,
    )
    const bindings = (found as ts.ImportDeclaration | undefined)?.importClause?.namedBindings
    return bindings && ts.isNamedImports(bindings) ? bindings : undefined
  }

  private listIn(name: string, kind: ListKind): { nodes: readonly ts.Node[]; end: number } {
    const declaration = this.declaration(name)
    if (ts.isInterfaceDeclaration(declaration)) return { nodes: declaration.members, end: declaration.end - 1 }
    const list = [valueOf(declaration), declaration].flatMap(descendants).find(isList[kind])
    if (!list) throw this.missing(name)
    const nodes = ts.isJsxFragment(list)
      ? list.children.filter((child) => !ts.isJsxText(child))
      : 'properties' in list
        ? (list as ts.ObjectLiteralExpression).properties
        : (list as ts.ArrayLiteralExpression).elements
    const end = ts.isJsxFragment(list) ? list.closingFragment.getStart() : list.end - 1
    return { nodes, end: nodes.at(-1)?.end ?? end }
  }

  /** @param name of a declaration, or of a property of the object that it is set to: `itemsTable.fields` */
  private declaration(name: string): ts.Node {
    const [outer = '', inner] = name.split('.')
    const found = this.find((node) => isDeclaration(node) && nameOf(node) === outer, name)
    if (inner === undefined) return found
    const object = descendants(valueOf(found)).find(ts.isObjectLiteralExpression)
    const property = object?.properties.find((node) => nameOf(node) === inner)
    if (!property) throw this.missing(name)
    return property
  }

  private all(matches: (node: ts.Node) => boolean): ts.Node[] {
    return descendants(this.file).filter(matches)
  }

  private find(matches: (node: ts.Node) => boolean, name: string): ts.Node {
    const [node, another] = this.all(matches)
    if (!node || another) throw this.missing(name)
    return node
  }

  private missing(name: string): Error {
    return new Error(`${this.path} does not contain “${name}” exactly once: adapt scripts/new/`)
  }
}

const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

const byName = (a: string, b: string): number =>
  a.replace('type ', '').toLowerCase() < b.replace('type ', '').toLowerCase() ? -1 : 1

/** All nodes, in the order of the text. */
function descendants(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [node]
  ts.forEachChild(node, (child) => void found.push(...descendants(child)))
  return found
}

const separators: Record<ListKind, string> = {
  members: '\n',
  properties: ', ',
  elements: ', ',
  bindings: ', ',
  children: '\n',
}

const isList: Record<ListKind, (node: ts.Node) => boolean> = {
  members: ts.isInterfaceDeclaration,
  properties: ts.isObjectLiteralExpression,
  elements: ts.isArrayLiteralExpression,
  bindings: ts.isObjectBindingPattern,
  children: ts.isJsxFragment,
}

function isDeclaration(node: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  )
}

/** What a variable or property is set to, or what a function returns. */
function valueOf(declaration: ts.Node): ts.Node {
  const value = 'initializer' in declaration ? (declaration as ts.VariableDeclaration).initializer : declaration
  const body = value && 'body' in value ? (value as ts.ArrowFunction).body : value
  return (body && ts.isBlock(body) && body.statements.findLast(ts.isReturnStatement)) || body || declaration
}

/** Whether an entry is no field of the resource: one that all rows have, a spread, or the column of a search form. */
function isCommon(node: ts.Node): boolean {
  if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) return true
  return /^(id|owner_id|created_at|updated_at|\w+_search)$/.test(nameOf(node) ?? '')
}

function isElementNamed(node: ts.Node, name: string): boolean {
  if (!ts.isJsxSelfClosingElement(node) && !ts.isJsxElement(node)) return false
  const { attributes } = ts.isJsxElement(node) ? node.openingElement : node
  return attributes.properties.some(
    (attribute) =>
      ts.isJsxAttribute(attribute) &&
      attribute.name.getText() === 'name' &&
      attribute.initializer?.getText() === `"${name}"`,
  )
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
  if (ts.isStringLiteral(node)) return node.text
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
