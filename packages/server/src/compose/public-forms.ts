import { contact, leads } from '@millrace/contract'
import {
  createNewsletterLinks,
  createNewsletterPage,
  createProofOfWork,
  createPublicForms,
  formHandlers,
} from '#modules/public-forms/index.ts'
import { deriveKey } from '#platform/auth/secret-box.ts'
import { served, servedPage } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'

/** Contact, demo and newsletter forms. */
export function composePublicForms({ config, database, mail, secretKey, system }: FeatureParts): Feature {
  const origin = originOf(config.http)
  const now = () => new Date(system.now())
  const db = database.system
  const { linksOf, read } = createNewsletterLinks(deriveKey(secretKey, 'newsletter-links'), origin)
  const { salesAddress, proofBits } = config.forms
  const proofs = createProofOfWork({ key: deriveKey(secretKey, 'form-proofs'), bits: proofBits, now: system.now, newId: system.newId })
  const forms = createPublicForms({ db, mail, proofs, salesAddress, linksOf, now, newId: system.newId })
  const handlers = formHandlers({ forms, linksOf, now })
  return {
    groups: {
      contact: served(contact, handlers.contact),
      leads: served(leads, handlers.leads),
      newsletterPage: servedPage({ url: '/newsletter/:token', ...createNewsletterPage({ db, read, now }) }),
    },
    maintenance: [{ name: 'leads', run: () => forms.sweep() }],
  }
}
