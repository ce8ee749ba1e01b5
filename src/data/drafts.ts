import type { AnyRouter } from '@tanstack/react-router'
import { createAtom } from '@tanstack/react-store'
import type { RefObject } from 'react'
import * as z from 'zod/mini'
import { store, tryStorage } from '@/browser/try-storage'

type Values = Record<string, unknown>

/** A visible form. A reload or the end of the session must not lose its text. */
interface OpenForm {
  /** The title of its draft. A form without a title leaves no draft. */
  title?: string
  /** The values that the user has changed, by field. */
  changes: () => Values
  /** What `useSave` needs to go on, besides the values. */
  state?: RefObject<Draft['state']>
}

const openForms = new Set<OpenForm>()

/** @returns a function that removes it */
export function addForm(form: OpenForm): () => void {
  openForms.add(form)
  return () => void openForms.delete(form)
}

/** Whether a reload would lose typed text. */
export function hasUnsavedText(): boolean {
  return [...openForms].some(({ changes }) => Object.keys(changes()).length > 0)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

const values = z.record(z.string(), z.unknown())

const schema = z.object({
  userId: z.string(),
  title: z.string(),
  /** The URL of the form, including its dialog. */
  href: z.string(),
  /** The values that the user has changed, by field. */
  changes: values,
  /** The state of `useSave`. */
  state: z.object({ attempt: z.object({ key: z.string(), sent: z.array(z.custom<object>(isObject)) }), base: values }),
  at: z.number(),
  /** Set while the person confirms who they are on another site. The form takes the draft when they come back. */
  isReturning: z.optional(z.literal(true)),
})

/** The values of a form that was closed by the end of a session, without passwords. */
export type Draft = z.infer<typeof schema>

/** Makes the draft of a form. It is `null` if the form has no title, or no changes besides passwords. */
export function draftOf({ title, changes, state }: OpenForm, userId: string, href: string): Draft | null {
  const kept = Object.fromEntries(Object.entries(changes()).filter(([name]) => !name.includes('password')))
  if (title === undefined || !state || Object.keys(kept).length === 0) return null
  return { userId, title, href, changes: kept, state: { ...state.current }, at: Date.now() }
}

const KEY = 'draft'
const MAX_AGE_MS = 24 * 60 * 60_000

/** A draft that could not be stored. It lives until a reload. */
let unstored: Draft | null = null

/** Keeps the draft of the open form for the next log-in of the same user. */
export function keepDraft(userId: string, href: string): void {
  keep(userId, href, {})
}

/** @returns whether no text would be lost by a reload */
function keep(userId: string, href: string, more: Pick<Draft, 'isReturning'>): boolean {
  const draft = [...openForms].flatMap((form) => draftOf(form, userId, href) ?? [])[0]
  if (!draft || store('sessionStorage', KEY, JSON.stringify({ ...draft, ...more }))) return true
  unstored = draft
  return false
}

let isLeaving = false

/** Whether a draft keeps the text, so that the browser need not warn before the page is left. */
export function leavesWithDraft(): boolean {
  return isLeaving
}

/**
 * Keeps the draft of a changed form while its person confirms who they are on another site.
 * @returns called if they come back to the page as it was
 */
export function keepDraftForReturn(userId: string, href: string): () => void {
  isLeaving = keep(userId, href, { isReturning: true })
  return () => {
    isLeaving = false
    discardDraft()
  }
}

/** Reads the draft of this user. A draft of another user, an old one and an invalid one are deleted. */
export function readDraft(userId: string): Draft | null {
  const draft = unstored ?? tryStorage(() => z.parse(schema, JSON.parse(sessionStorage.getItem(KEY) ?? '')))
  if (draft && draft.userId === userId && Date.now() - draft.at < MAX_AGE_MS) return draft
  discardDraft()
  return null
}

export function discardDraft(): void {
  unstored = null
  tryStorage(() => sessionStorage.removeItem(KEY))
}

/** The draft that the form at its URL will take. */
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

/** Called when the form has taken the draft. A stored draft of another form stays. */
export function finishRestoring({ userId, at }: Draft): void {
  if (readDraft(userId)?.at === at) discardDraft()
  restoring.set(null)
}
