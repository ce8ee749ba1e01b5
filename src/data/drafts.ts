import type { AnyRouter } from '@tanstack/react-router'
import { createAtom } from '@tanstack/react-store'
import type { RefObject } from 'react'
import * as z from 'zod/mini'
import { store, tryStorage } from '@/browser/try-storage'

type Values = Record<string, unknown>

interface OpenForm {
  title?: string
  changes: () => Values
  state?: RefObject<SaveState>
}

const openForms = new Set<OpenForm>()

export function addForm(form: OpenForm): () => void {
  openForms.add(form)
  return () => void openForms.delete(form)
}

export const hasUnsavedText = (): boolean => [...openForms].some(({ changes }) => Object.keys(changes()).length > 0)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const values = z.record(z.string(), z.unknown())

const schema = z.object({
  userId: z.string(),
  title: z.string(),
  href: z.string(),
  changes: values,
  state: z.object({ attempt: z.object({ key: z.string(), sent: z.array(z.custom<object>(isObject)) }), base: values }),
  at: z.number(),
  /** Set while the user confirms their identity on another site. The form restores the draft when they come back. */
  isReturning: z.optional(z.literal(true)),
})

export type Draft = z.infer<typeof schema>

/** What a form knows besides its values: its attempts to create a row, and the server's values that the user has seen. */
export type SaveState = Draft['state']

export function draftOf({ title, changes, state }: OpenForm, userId: string, href: string): Draft | null {
  const kept = Object.fromEntries(Object.entries(changes()).filter(([name]) => !name.includes('password')))
  if (title === undefined || !state || Object.keys(kept).length === 0) return null
  return { userId, title, href, changes: kept, state: { ...state.current }, at: Date.now() }
}

const KEY = 'draft'
const MAX_AGE_MS = 24 * 60 * 60_000

/** A draft that could not be stored. It is lost on reload. */
let unstored: Draft | null = null

/** @returns whether a reload would lose no text */
export function keepDraft(userId: string, href: string, more: Pick<Draft, 'isReturning'> = {}): boolean {
  const draft = [...openForms].flatMap((form) => draftOf(form, userId, href) ?? [])[0]
  if (!draft || store('sessionStorage', KEY, JSON.stringify({ ...draft, ...more }))) return true
  unstored = draft
  return false
}

let isLeaving = false

/** A draft keeps the text, so the browser need not warn before the page is left. */
export const leavesWithDraft = (): boolean => isLeaving

/** @returns a function to call if the user comes back to the unchanged page */
export function keepDraftForReturn(userId: string, href: string): () => void {
  isLeaving = keepDraft(userId, href, { isReturning: true })
  return () => {
    isLeaving = false
    discardDraft()
  }
}

/** Deletes invalid and old drafts, and those of other users. */
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

export const restoring = createAtom<Draft | null>(null)

/** Opens the URL of a draft. When the user leaves this URL, returns whether a form has taken the draft. */
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

export function finishRestoring({ userId, at }: Draft): void {
  if (readDraft(userId)?.at === at) discardDraft()
  restoring.set(null)
}
