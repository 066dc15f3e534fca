export { contact } from './contact.ts'
export { dx } from './dx.ts'
export { einvoice } from './einvoice.ts'
export { leads } from './leads.ts'
