// A browser that translates a page replaces its texts by elements. React does not know these: it fails when it removes
// such a text or inserts something before it, and a change of it is not shown. A text that is the only child of its
// element is safe, because React then sets the content of the element.

/** Whether React keeps a text as one of several children. */
const isSingle = (node: Node | null) =>
  node?.nodeType === Node.TEXT_NODE && Object.keys(node).some((key) => key.startsWith('__reactFiber'))

/** Watches what React does to single texts. @returns a function that stops this, and returns what fails in a translated page */
export function watchSingleTexts(): () => string[] {
  const faults: string[] = []
  function check(does: string, text: Node | null, parent: Node | null): void {
    if (isSingle(text)) faults.push(`${does} “${text?.nodeValue}” in ${(parent as Element).outerHTML.slice(0, 200)}`)
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
