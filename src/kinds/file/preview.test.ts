import { expect, test, vi } from 'vitest'
import { previewOf } from './preview'

/** Reports the size of an image before it is decoded, as browsers do. */
function stubImages([width, height]: readonly [number, number]) {
  class StubImage extends EventTarget {
    naturalWidth = width
    naturalHeight = height
    set src(address: string) {
      const isImage = address.startsWith('data:image/png;base64,')
      queueMicrotask(() => this.dispatchEvent(new Event(isImage ? 'load' : 'error')))
    }
  }
  vi.stubGlobal('Image', StubImage)
  const decode = vi.fn<() => Promise<object>>(async () => ({ width, height, close: () => undefined }))
  vi.stubGlobal('createImageBitmap', decode)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/png;base64,')
  return decode
}

const png = new Blob(['a few bytes'], { type: 'image/png' })

test.each([
  [[8_000, 6_000], 1],
  [[20_000, 20_000], 0],
  [[1, 60_000_000], 0],
] as const)('an image of %j pixels is decoded %i times, however few bytes it has', async (size, times) => {
  const decode = stubImages(size)
  expect(await previewOf(png)).toBe(times === 0 ? undefined : 'data:image/png;base64,')
  expect(decode).toHaveBeenCalledTimes(times)
})

test('what is no image has no preview, and is not decoded', async () => {
  const decode = stubImages([1, 1])
  expect(await previewOf(new Blob(['text'], { type: 'text/plain' }))).toBeUndefined()
  expect(decode).not.toHaveBeenCalled()
})
