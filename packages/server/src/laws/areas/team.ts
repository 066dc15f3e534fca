import { randomUUID } from 'node:crypto'
import { accountUsers, invitations } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { linkTo } from '#testing/outbox.ts'
import type { AreaFixture, LawArea } from './area.ts'

const password = 'four words make sense'

/** The users of an account, and invitations. */
export const teamArea: LawArea = {
  async createResources(url, { token }) {
    const body = { email: `invited-${randomUUID()}@example.com` }
    return { ivt: textAt((await call(url, invitations.create, { token, body })).body, 'id') }
  },
  async exercise({ url, perform, token }: AreaFixture) {
    const first = await perform(invitations.create, { token, body: { email: `revoked-${randomUUID()}@example.com` } })
    await perform(invitations.list, { token })
    await perform(invitations.revoke, { token, params: { id: textAt(first, 'id') } })
    const join = async () => {
      const email = `joined-${randomUUID()}@example.com`
      await call(url, invitations.create, { token, body: { email } })
      const link = await linkTo(url, email, 'Invitation')
      await perform(invitations.inspect, { body: { token: link } })
      return textAt(await perform(invitations.accept, { body: { token: link, password } }), 'user', 'id')
    }
    const [leaves, owns] = [await join(), await join()]
    await perform(accountUsers.list, { token })
    await perform(accountUsers.update, { token, params: { id: leaves }, body: { role: 'viewer' } })
    await perform(accountUsers.signOut, { token, params: { id: leaves } })
    await perform(accountUsers.delete, { token, params: { id: leaves } })
    await perform(accountUsers.transferOwnership, { token, params: { id: owns } })
  },
}
