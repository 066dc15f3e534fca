export { createPrinter, type Printer } from './printer.ts'
export { outcomeOrOverloaded } from './outcome-or-overloaded.ts'
