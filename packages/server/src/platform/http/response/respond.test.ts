import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { respondDownload, respondShown } from './respond.ts'

const fileOf = (media: string) => ({ media, name: 'a-b', fullName: "a 'b'", bytes: 3, sha256: 'aa', open: () => Readable.from(['abc']) })
const nothingAsked = { range: undefined, ifRange: undefined }

test.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'IMAGE/PNG'])(
  'a picture in %s is shown in its page, and cannot run anything',
  (media) => {
    const { headers } = respondShown(nothingAsked, fileOf(media))
    expect(headers).toMatchObject({
      'content-disposition': `inline; filename="a-b"; filename*=UTF-8''a%20%27b%27`,
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    })
  },
)

test.each(['image/svg+xml', 'image/png;x', 'text/html', 'application/xhtml+xml', 'application/pdf', 'text/xml', ''])(
  'what is in "%s" is for saving',
  (media) => {
    for (const respond of [respondShown, respondDownload]) {
      const { headers } = respond(nothingAsked, fileOf(media))
      expect(headers['content-disposition']).toMatch(/^attachment; /)
      expect(headers['content-security-policy']).toContain('sandbox')
    }
  },
)
