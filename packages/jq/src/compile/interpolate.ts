import type { Ir } from '#src/lower/ir.ts'
import { formatValue } from '#src/text/format.ts'
import type { Compiler, Many, One } from './code.ts'
import { grow } from './machine.ts'

export function stringOne(compiler: Compiler, ir: Extract<Ir, { kind: 'string' }>): One {
  const { machine } = compiler
  const { format } = ir
  const parts = ir.parts.map((part) => (typeof part === 'string' ? part : compiler.one(part)))
  return (input, env) => {
    let text = ''
    // Later interpolations are evaluated first, which only matters for which of two errors is seen.
    for (let at = parts.length - 1; at >= 0; at--) {
      const part = parts[at]
      if (typeof part === 'function') {
        const value = part(input, env)
        if (value === undefined) return undefined
        text = (typeof value === 'string' && format === 'text' ? value : formatValue(machine, format, value)) + text
      } else text = (part ?? '') + text
    }
    grow(machine, text.length)
    return text
  }
}

export function stringMany(compiler: Compiler, ir: Extract<Ir, { kind: 'string' }>): Many {
  const { machine } = compiler
  const { format } = ir
  const parts = ir.parts.map((part) => (typeof part === 'string' ? part : compiler.many(part)))
  return (input, env, emit) => {
    // The last interpolation changes slowest.
    const before = (at: number, text: string): boolean => {
      const part = parts[at - 1]
      if (part === undefined) {
        grow(machine, text.length)
        return emit(text)
      }
      if (typeof part === 'string') return before(at - 1, part + text)
      return part(input, env, (value) => before(at - 1, formatValue(machine, format, value) + text))
    }
    return before(parts.length, '')
  }
}
