export { createMachine } from '#core/machine.ts'
