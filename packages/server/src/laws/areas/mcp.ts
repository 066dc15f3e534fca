import { account, mcp, oauth } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

export const mcpArea: LawArea = {
  async exercise({ url, perform, token }) {
    await call(url, account.giveCrossBorder, { token, body: { purposes: ['Answers of a model'] } })
    await perform(mcp.chat, { token, body: { message: 'Hello' } })
    const name = 'csv.parse'
    await perform(mcp.offerTool, { token, params: { name }, body: { permission: 'ask' } })
    await perform(mcp.tools, { token })
    await perform(mcp.withdrawTool, { token, params: { name } })
    const redirect = 'http://127.0.0.1:7000/callback'
    const registered = await fetch(`${url}/oauth/register`, { method: 'POST', body: JSON.stringify({ redirect_uris: [redirect] }) })
    const request = {
      response_type: 'code',
      client_id: textAt(await registered.json(), 'client_id'),
      redirect_uri: redirect,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    } as const
    await perform(oauth.request, { token, query: request })
    await perform(oauth.decide, { token, body: { ...request, allow: false } })
  },
}
