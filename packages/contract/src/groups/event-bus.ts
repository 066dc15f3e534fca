export { deadLetters } from './dead-letters.ts'
export { eventSubscriptions } from './event-subscriptions.ts'
export { events } from './events.ts'
