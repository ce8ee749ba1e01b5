/**
 * What somebody had typed when the session ended under them: kept in this tab under their id, without passwords, and offered
 * again after they have logged in. Nobody else gets to see it.
 */
export interface Draft {
  userId: string
  /** Where the form was. */
  href: string
  /** Which form. */
  form: string
  /** What its screen needs to open the dialog that it was in, if it was in one. */
  dialog: OpenDialog | null
  values: Record<string, unknown>
}

interface OpenDialog {
  screen: string
  content: unknown
}

interface LiveForm {
  name: string
  isDirty: () => boolean
  values: () => Record<string, unknown>
}

const KEY = 'draft'
const liveForms = new Set<LiveForm>()
let openDialog: OpenDialog | null = null

/** @returns how to take it off the list again */
export function registerForm(form: LiveForm): () => void {
  liveForms.add(form)
  return () => liveForms.delete(form)
}

export function setOpenDialog(dialog: OpenDialog | null): void {
  openDialog = dialog
}

/** For who leaves of their own accord: what is on the screen is given up. */
export function forgetForms(): void {
  liveForms.clear()
  sessionStorage.removeItem(KEY)
}

export function keepDraft(userId: string, href: string): void {
  const form = [...liveForms].find((candidate) => candidate.isDirty())
  if (!form) return
  const values = Object.fromEntries(Object.entries(form.values()).filter(([name]) => !name.includes('password')))
  const draft: Draft = { userId, href, form: form.name, dialog: openDialog, values }
  sessionStorage.setItem(KEY, JSON.stringify(draft))
}

export function readDraft(userId: string): Draft | null {
  const text = sessionStorage.getItem(KEY)
  const draft = text === null ? null : (JSON.parse(text) as Draft)
  return draft?.userId === userId ? draft : null
}

export function discardDraft(): void {
  sessionStorage.removeItem(KEY)
}

type Listener = (draft: Draft) => void
const listeners = new Set<Listener>()
let restoring: Draft | null = null

/** Puts a draft back where it was: its screen opens the dialog, its form takes the values. */
export function restoreDraft(draft: Draft): void {
  discardDraft()
  restoring = draft
  for (const listener of listeners) listener(draft)
}

/** The form has taken the values, or whoever typed them is gone. */
export function finishRestoring(): void {
  restoring = null
}

/** Calls back when a draft is being put back, also when that began before. */
export function onRestore(listener: Listener): () => void {
  listeners.add(listener)
  if (restoring) listener(restoring)
  return () => listeners.delete(listener)
}
