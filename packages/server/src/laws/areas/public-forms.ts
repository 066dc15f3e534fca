import { createHash } from 'node:crypto'
import { contact, dx, leads } from '@millrace/contract'
import { call, textAt } from '#laws/calls.ts'
import { zeroBits } from '#modules/public-forms/index.ts'
import { questions, version } from '#modules/readiness/index.ts'
import type { LawArea } from './area.ts'

/** Solves a new challenge. */
export async function proofOf(url: string) {
  const { body } = await call(url, leads.challenge, {})
  const challenge = textAt(body, 'challenge')
  const bits = Number(challenge.split('.')[1])
  for (let nonce = 0; ; nonce++) {
    if (zeroBits(createHash('sha256').update(`${challenge}:${nonce}`).digest()) >= bits) return { challenge, nonce: String(nonce) }
  }
}

export const publicFormsArea: LawArea = {
  async exercise({ url, perform, token, operatorToken }) {
    const person = { name: 'Sara Haddad', email: 'sara@example.com', consent: true }
    await perform(leads.challenge, {})
    await perform(contact.send, { body: { ...person, message: 'Hello.', proof: await proofOf(url) } })
    await perform(leads.contact, { body: { ...person, message: 'Hello.', proof: await proofOf(url) } })
    await perform(leads.demo, { body: { ...person, proof: await proofOf(url) } })
    await perform(leads.newsletter, { body: { email: person.email, consent: true, proof: await proofOf(url) } })
    await perform(leads.list, { token: operatorToken })
    await perform(leads.export, { token: operatorToken })
    await perform(dx.questions, {})
    const answers = Object.fromEntries(questions.map(({ id }) => [id, 2]))
    await perform(dx.assess, { token, body: { version, answers } })
    await perform(dx.history, { token })
  },
}
