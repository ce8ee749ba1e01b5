// A browser that translates a page replaces each text node by an element. React does not notice, so it fails when it
// removes or inserts beside such a text, and changes of it are not shown. A text that is the only child of its element
// is safe, because React then sets the content of the element.

/** True for text nodes that React keeps because they have siblings. */
const isKeptByReact = (node: Node | null) =>
  node?.nodeType === Node.TEXT_NODE && Object.keys(node).some((key) => key.startsWith('__reactFiber'))

/** Records changes that would fail in a translated page. @returns a function that stops this and returns them */
export function watchSingleTexts(): () => string[] {
  const faults: string[] = []
  function check(does: string, text: Node | null, parent: Node | null): void {
    if (isKeptByReact(text))
      faults.push(`${does} “${text?.nodeValue}” in ${(parent as Element).outerHTML.slice(0, 200)}`)
  }

  const { removeChild, insertBefore, nodeValue } = Object.getOwnPropertyDescriptors(Node.prototype)
  Object.defineProperties(Node.prototype, {
    removeChild: {
      ...removeChild,
      value(this: Node, child: Node): unknown {
        check('removes', child, this)
        return removeChild.value?.call(this, child)
      },
    },
    insertBefore: {
      ...insertBefore,
      value(this: Node, child: Node, next: Node | null): unknown {
        check('inserts before', next, this)
        return insertBefore.value?.call(this, child, next)
      },
    },
    nodeValue: {
      ...nodeValue,
      set(this: Node, text: string | null) {
        check('changes', this, this.parentNode)
        nodeValue.set?.call(this, text)
      },
    },
  })
  return () => {
    Object.defineProperties(Node.prototype, { removeChild, insertBefore, nodeValue })
    return faults
  }
}
