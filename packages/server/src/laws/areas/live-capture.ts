import { livecapture } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { orderScreen } from '#testing/order-screen.ts'
import type { LawArea } from './area.ts'

const at = '2026-01-05T09:00:00Z'
const request = { method: 'POST', url: 'https://shop.example.com/orders', status: 200, contentType: 'application/json', body: { item: 7 } }
const events = [{ sequence: 1, at, kind: 'request', request }]

export const liveCaptureArea: LawArea = {
  async createResources(url, { token }) {
    const { body } = await call(url, livecapture.start, { token, body: { name: 'law' } })
    return { cap: textAt(body, 'id') }
  },

  async exercise({ perform, token }) {
    const sessionId = textAt(await perform(livecapture.start, { token, body: { name: 'law' } }), 'id')
    await perform(livecapture.events, { token, body: { sessionId, events } })
    await perform(livecapture.get, { token, params: { id: sessionId } })
    await perform(livecapture.stop, { token, body: { sessionId } })
    await perform(livecapture.analyzeVideo, { token, body: { name: 'screen', frames: [{ atMs: 0, image: await orderScreen() }] } })
  },
}
