import { account, mcp } from '@millrace/contract'
import { call } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

export const mcpArea: LawArea = {
  async exercise({ url, perform, token }) {
    await call(url, account.giveCrossBorder, { token, body: { purposes: ['Answers of a model'] } })
    await perform(mcp.chat, { token, body: { message: 'Hello' } })
  },
}
