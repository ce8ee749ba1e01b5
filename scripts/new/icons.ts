import { icons } from 'lucide-react'
import type { Names } from './names.ts'

/** Icons of lucide-react for words in names of resources, a line for each. The first line that fits is taken. */
const guesses: readonly (readonly [words: RegExp, icon: string])[] = [
  [/customer|client|contact|person|member|employee|guest|patient|student|candidate|people/, 'Contact'],
  [/team|group|crowd/, 'UsersRound'],
  [/compan|organi[sz]ation|supplier|vendor|office|branch|department/, 'Building'],
  [/order|purchase|cart|basket/, 'ShoppingCart'],
  [/invoice|bill|receipt|quote|offer/, 'ReceiptText'],
  [/payment|fee|salar|expense|budget|account/, 'Wallet'],
  [/product|article|good|part|material|parcel|package|deliver|shipment|stock/, 'Package'],
  [/categor|tag|label|topic|kind|tagging/, 'Tag'],
  [/task|todo|job|check/, 'ListChecks'],
  [/project|board|plan|milestone/, 'FolderKanban'],
  [/ticket|issue|request|complaint/, 'Ticket'],
  [/note|memo|comment|remark/, 'StickyNote'],
  [/document|contract|report|letter|page|form/, 'FileText'],
  [/message|chat|mail/, 'MessageSquare'],
  [/event|meeting|appointment|booking|reservation|visit|shift/, 'Calendar'],
  [/vehicle|car|truck|trip|ride/, 'Car'],
  [/machine|device|asset|tool|equipment/, 'Wrench'],
  [/room|house|building|flat|property|propert|site/, 'House'],
  [/place|location|address|cit(?:y|ies)|country|region|store|shop/, 'MapPin'],
  [/book|course|lesson|chapter|recipe/, 'BookOpen'],
  [/photo|picture|image|album/, 'Image'],
  [/song|track|record/, 'Disc'],
  [/idea|suggestion/, 'Lightbulb'],
  [/goal|target/, 'Target'],
  [/link|bookmark/, 'Bookmark'],
  [/animal|pet|dog|cat/, 'PawPrint'],
  [/plant|tree|seed|crop/, 'Sprout'],
]

/** @param given such as `ShoppingCart` or `shopping-cart`; by default a guess @throws Error for an unknown one */
export function toIcon({ noun }: Names, given: string | undefined): string {
  if (given === undefined) return guesses.find(([words]) => words.test(noun))?.[1] ?? 'FileText'
  const name = given.replaceAll(/(?:^|-)([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
  if (!Object.hasOwn(icons, name)) throw new Error(`lucide-react has no icon “${given}”: see https://lucide.dev/icons`)
  return name
}

export const guessedIcons = guesses.map(([, icon]) => icon)
