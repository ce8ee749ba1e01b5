import type { AnyRouter } from '@tanstack/react-router'
import { createAtom } from '@tanstack/react-store'
import { type Editor, editors, isChanged } from './editors'
import { store, tryStorage } from './try-storage'

type Values = Record<string, unknown>

/** The content of a form whose session expired, without passwords. Offered to the same user after the next log-in. */
export interface Draft {
  userId: string
  /** The title of the form. */
  title: string
  /** The URL of the form, including its dialog. */
  href: string
  values: Values
  /** The form's default values. */
  defaults: Values
}

const KEY = 'draft'
/** A draft that the storage did not take, until a reload. */
let unstored: Draft | null = null

/** The draft of a form; `null` if it has no title, or no changes besides passwords. */
export function draftOf({ title, ...editor }: Editor, userId: string, href: string): Draft | null {
  const values = withoutPasswords(editor.values())
  const defaults = withoutPasswords(editor.defaults())
  return title === undefined || !isChanged(values, defaults) ? null : { userId, title, href, values, defaults }
}

/** Keeps the draft of a changed form. */
export function keepDraft(userId: string, href: string): void {
  const draft = editors.get().flatMap((editor) => draftOf(editor, userId, href) ?? [])[0]
  if (draft && !store('sessionStorage', KEY, JSON.stringify(draft))) unstored = draft
}

function withoutPasswords(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes('password')))
}

/** The draft of this user. One of another user is deleted. */
export function readDraft(userId: string): Draft | null {
  const text = tryStorage(() => sessionStorage.getItem(KEY)) ?? 'null'
  const draft = unstored ?? (JSON.parse(text) as Draft | null)
  if (draft === null || draft.userId === userId) return draft
  discardDraft()
  return null
}

export function discardDraft(): void {
  unstored = null
  tryStorage(() => sessionStorage.removeItem(KEY))
}

/** The draft that the form at its URL takes. */
export const restoring = createAtom<Draft | null>(null)

/**
 * Opens the URL of a draft, whose form then takes it.
 * @returns whether it was taken, when the URL is left. Its resource or code may fail to load.
 */
export async function restoreDraft(draft: Draft, router: AnyRouter): Promise<boolean> {
  await router.navigate({ href: draft.href })
  if (router.state.location.href !== draft.href) return false
  restoring.set(draft)
  return new Promise((resolve) => {
    const stop = router.subscribe('onBeforeNavigate', ({ toLocation }) => {
      if (toLocation.href === draft.href) return
      stop()
      const isLeft = restoring.get() === draft
      if (isLeft) restoring.set(null)
      resolve(!isLeft)
    })
  })
}

/** The form has taken the values. */
export function finishRestoring(): void {
  discardDraft()
  restoring.set(null)
}
