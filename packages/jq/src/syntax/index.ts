// What an editor of expressions needs: nothing of the compiler is exported here.
export { tokenize } from './lexer.ts'
export { parse } from './parser.ts'
export type { Token } from './token.ts'
