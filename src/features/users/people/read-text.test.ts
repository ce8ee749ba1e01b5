import { describe, expect, test } from 'vitest'
import { readText } from './read-text'

const file = (...bytes: (number | string)[]) =>
  new File(
    bytes.map((part) => (typeof part === 'string' ? part : new Uint8Array([part]))),
    'people.csv',
  )

const utf16 = (text: string, isLittleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (const [index, sign] of Array.from(text).entries()) view.setUint16(2 * index, sign.charCodeAt(0), isLittleEndian)
  return new File([view], 'people.csv')
}

describe('readText', () => {
  test.each<[title: string, file: File, text: string, isGuessed: boolean]>([
    ['UTF-8', file('é'), 'é', false],
    ['UTF-8 with a mark', file(0xef, 0xbb, 0xbf, 'é'), 'é', false],
    ['UTF-16', utf16('\uFEFFZoë\r\n', true), 'Zoë\r\n', false],
    ['UTF-16 of the other order', utf16('\uFEFFZoë', false), 'Zoë', false],
    ['Windows-1252', file('Zo', 0xeb, ' M', 0xfc, 'ller ', 0x80), 'Zoë Müller €', true],
    ['text that is filled up with NUL', file('a\n', 0, 0, 0), 'a\n', false],
    ['text with the end mark of DOS', file('a\n', 0x1a), 'a\n', false],
  ])('reads %s', async (_, given, text, isGuessed) => expect(await readText(given)).toEqual({ text, isGuessed }))

  test.each<[title: string, file: File, reason: RegExp]>([
    [
      'a workbook',
      file('PK', 3, 4, 20, 0, 6, 0),
      /an Excel or OpenDocument workbook, not CSV\. Save it as “CSV UTF-8”/,
    ],
    ['an old workbook', file(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /an old Excel workbook/],
    ['UTF-16 without a mark', utf16('email', true), /not UTF-8/],
    ['other encodings', file('Zo', 0x81, 0x40), /not UTF-8/],
    ['an unpaired surrogate', utf16('\uFEFFa\uD800b', true), /not UTF-8/],
    ['nothing', file(), /empty/],
    ['more than 2 MiB', file('a'.repeat(2 * 1024 ** 2 + 1)), /larger than 2 MiB/],
  ])('refuses %s', async (_, given, reason) => {
    await expect(readText(given)).rejects.toThrow(reason)
  })
})
