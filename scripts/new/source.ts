import ts from 'typescript'
import {
  byName,
  descendants,
  isCommon,
  isDeclaration,
  isElementNamed,
  isList,
  type ListKind,
  nameOf,
  separators,
  tagOf,
  valueOf,
} from './syntax.ts'

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

  set(old: string, text: string): this {
    const from = this.text.indexOf(old)
    if (from === -1 || this.text.includes(old, from + 1)) throw this.missing(old)
    return this.edit(from, from + old.length, text)
  }

  has(name: string): boolean {
    return this.all((node) => (isDeclaration(node) || ts.isJsxAttribute(node)) && nameOf(node) === name).length > 0
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

  addAfterElement(name: string, text: string): this {
    const element = this.find((node) => isElementNamed(node, name), name)
    return this.edit(element.end, element.end, `\n${text}`)
  }

  addToMarkup(name: string, elements: readonly string[]): this {
    if (elements.length === 0) return this
    const added = elements.join('\n')
    const inside = descendants(this.attribute(name))
    const fragment = inside.find(ts.isJsxFragment)
    if (fragment) {
      const end = fragment.closingFragment.getStart()
      return this.edit(end, end, `${added}\n`)
    }
    const element = inside.find((node) => ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node))
    return this.replace(element, `(<>${element?.getText()}\n${added}</>)`)
  }

  countIn(name: string): number {
    return descendants(this.attribute(name)).filter(ts.isJsxSelfClosingElement).length
  }

  addLinks(tag: string, entries: readonly string[]): this {
    const line = this.find((node) => ts.isObjectLiteralExpression(node) && tagOf(node) === tag, tag)
    const { properties } = line as ts.ObjectLiteralExpression
    const links = properties.find((property) => nameOf(property) === 'links')
    const list = links && descendants(links).find(ts.isObjectLiteralExpression)
    const end = (list ?? line).end - 1
    return this.edit(end, end, list ? `, ${entries.join(', ')} ` : `, links: { ${entries.join(', ')} } `)
  }

  addImports(module: string, names: readonly string[]): this {
    if (names.length === 0) return this
    const list = this.importsOf(module)
    if (list) {
      const all = new Map(list.elements.map((element) => [element.name.text, element.getText()]))
      for (const name of names) all.set(name, all.get(name) ?? name)
      return this.replace(list, `{ ${[...all.values()].toSorted(byName).join(', ')} }`)
    }
    const imports = this.file.statements.filter(ts.isImportDeclaration)
    const before = (node: ts.Node) => (nameOf(node) ?? '') < module && nameOf(node)?.startsWith('@/')
    const at = (imports.findLast(before) ?? imports.find((node) => !nameOf(node)?.startsWith('.')))?.end ?? 0
    const text = `import { ${[...new Set(names)].toSorted(byName).join(', ')} } from '${module}'\n`
    return this.edit(at, at, at === 0 ? text : `\n${text.trimEnd()}`)
  }

  toString(): string {
    return this.text
  }

  private attribute(name: string): ts.Node {
    return this.find((node) => ts.isJsxAttribute(node) && node.name.getText() === name, name)
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
    const nodes = entriesOf(list)
    const end = ts.isJsxFragment(list) ? list.closingFragment.getStart() : list.end - 1
    return { nodes, end: nodes.at(-1)?.end ?? end }
  }

  /** @param name of a declaration, or the path of a property of the object that it is set to: `itemsTable.fields` */
  private declaration(name: string): ts.Node {
    const [outer = '', ...inner] = name.split('.')
    let found = this.find((node) => isDeclaration(node) && nameOf(node) === outer, name)
    for (const key of inner) {
      const object = descendants(valueOf(found)).find(ts.isObjectLiteralExpression)
      const property = object?.properties.find((node) => nameOf(node) === key)
      if (!property) throw this.missing(name)
      found = property
    }
    return found
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

function entriesOf(list: ts.Node): readonly ts.Node[] {
  if (ts.isJsxFragment(list)) return list.children.filter((child) => !ts.isJsxText(child))
  if (ts.isCallExpression(list)) return list.arguments
  if (ts.isUnionTypeNode(list)) return list.types
  return 'properties' in list
    ? (list as ts.ObjectLiteralExpression).properties
    : (list as ts.ArrayLiteralExpression).elements
}

const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
