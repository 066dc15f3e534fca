// Corrections of mistakes as changes of the text.
export type { Fix } from './fix.ts'
export { fixesFor, type FixOptions } from './fixes-for.ts'
export { type Fixed, type FixedText, fixText } from './fix-text.ts'
