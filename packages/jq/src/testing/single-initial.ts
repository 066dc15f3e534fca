import { children } from '#src/lower/is-recursive.ts'
import type { Node } from '#src/syntax/ast.ts'
import { tokenize } from '#src/syntax/lexer.ts'
import { parse } from '#src/syntax/parser.ts'
import type { Token } from '#src/syntax/token.ts'

type Reduce = Extract<Node, { kind: 'reduce' }>

/**
 * The program with every `reduce S as P (I; U)` written as `. as $in | I as $start | $in | reduce S as P ($start; U)`, which means
 * the same; `undefined` for a program without any. jq 1.8.2 gives the source null as its input from the second output of `I` on
 * (https://github.com/jqlang/jq/issues/3227, mended after 1.8.2), and with one output each that cannot show.
 */
export function withSingleInitials(program: string): string | undefined {
  let text = program
  for (let round = 0; ; round++) {
    const loop = findReduce(parse(text))
    if (loop === undefined) return round === 0 ? undefined : text
    text = rewrite(text, loop, `$in${round}`, `$start${round}`)
  }
}

/** Any `reduce` whose start is more than a variable. */
function findReduce(root: Node): Reduce | undefined {
  const pending: Node[] = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'reduce' && node.initial.kind !== 'variable') return node
    pending.push(...children(node))
  }
  return undefined
}

function rewrite(text: string, loop: Reduce, input: string, start: string): string {
  const { from, to } = initialOf(text, loop)
  const head = `(. as ${input} | (${text.slice(from, to)}) as ${start} | ${input} | `
  return text.slice(0, loop.start) + head + text.slice(loop.start, from) + start + text.slice(to, loop.end) + ')' + text.slice(loop.end)
}

/** The position of the initial value of a `reduce`: between the bracket after its patterns and its semicolon. */
function initialOf(text: string, loop: Reduce): { readonly from: number; readonly to: number } {
  const patternEnd = loop.patterns.at(-1)?.end ?? loop.start
  let depth = 0
  let from = 0
  for (const token of tokenize(text)) {
    if (token.start < patternEnd) continue
    if (depth === 1 && isOperator(token, ';')) return { from, to: token.start }
    if (depth === 0 && isOperator(token, '(')) from = token.end
    if (isOperator(token, '(')) depth++
    if (isOperator(token, ')')) depth--
  }
  throw new Error(`No start of a reduce in ${text}`)
}

function isOperator(token: Token, text: string): boolean {
  return token.kind === 'operator' && token.text === text
}
