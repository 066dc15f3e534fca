import { account, erasures, persons, privacy } from '@millrace/contract'
import { vi } from 'vitest'
import { call, textAt } from '#laws/calls.ts'
import type { LawArea } from './area.ts'

const waiting = { timeout: 60_000, interval: 200 }

export const privacyArea: LawArea = {
  async createResources(url, { token }) {
    const { body } = await call(url, erasures.create, { token, body: { values: ['ada@example.org'] } })
    const { body: report } = await call(url, persons.createReport, { token, body: { values: ['ada@example.org'] } })
    return { era: textAt(body, 'id'), pdr: textAt(report, 'id') }
  },
  async exercise({ url, perform, token }) {
    const body = { text: 'Write to ada@example.com.', operator: 'encrypt' }
    await perform(privacy.check, { token, body: { text: body.text } })
    const text = textAt(await perform(privacy.redact, { token, body }), 'text')
    await perform(privacy.restore, { token, body: { text } })
    await perform(privacy.putPolicy, { token, body: { action: 'detect', purpose: 'Orders', legalBasis: 'contract', enabled: false } })
    const destination = { kind: 'model', host: 'models.example.com', region: 'US' }
    await perform(privacy.egress, { token, body: { destination, categories: ['email'] } })
    const id = textAt(await perform(erasures.create, { token, body: { values: ['ada@example.org'] } }), 'id')
    // It deletes exports and evidence packs: nothing else may need one before it has ended.
    await vi.waitFor(async () => {
      const { body: erasure } = await call(url, erasures.get, { token, params: { id } })
      if (textAt(erasure, 'state') === 'running') throw new Error('the erasure runs')
    }, waiting)
    await perform(erasures.get, { token, params: { id } })
    await perform(erasures.list, { token })
    await perform(erasures.preview, { token, body: { values: ['ada@example.org'] } })
    await perform(persons.find, { token, body: { values: ['ada@example.org'] } })
    const report = textAt(await perform(persons.createReport, { token, body: { values: ['ada@example.org'] } }), 'id')
    await perform(persons.reports, { token })
    await perform(persons.report, { token, params: { id: report } })
    await vi.waitFor(async () => {
      const { body: made } = await call(url, persons.report, { token, params: { id: report } })
      if (textAt(made, 'state') !== 'ready') throw new Error('the report is being made')
    }, waiting)
    const reportLink = textAt(await perform(persons.linkReport, { token, params: { id: report } }), 'url')
    await perform(persons.reportContent, { params: { token: reportLink.split('/').at(-2) ?? '' } })
    await perform(persons.deleteReport, { token, params: { id: report } })
    await perform(privacy.policies, { token })
    await perform(privacy.logs, { token })
    await perform(privacy.stats, { token })
    await perform(privacy.compliance, { token })
    await perform(account.settings, { token })
    await perform(account.update, { token, body: { locale: 'ar-SA', timeZone: 'Asia/Riyadh' } })
    await perform(account.giveCrossBorder, { token, body: { purposes: ['Answers of a model'] } })
    await perform(account.putPrivacyPreferences, { token, body: { mail: 'redact' } })
    await perform(account.consents, { token })
    await perform(account.withdrawCrossBorder, { token })
    await perform(account.data, { token })
    await perform(account.export, { token, body: {} })
    const link = await vi.waitFor(async () => {
      const { body: made } = await call(url, account.export, { token, body: {} })
      return textAt(made, 'download', 'url')
    }, waiting)
    await perform(account.exportContent, { params: { token: link.split('/').at(-2) ?? '' } })
  },
}
