import type { Ir } from '#src/lower/ir.ts'
import { index, slice } from '#src/paths/access.ts'
import { forgiving } from './access-one.ts'
import type { Compiler, Emit, Many } from './code.ts'

export function accessMany(compiler: Compiler, ir: Extract<Ir, { kind: 'index' | 'slice' }>): Many {
  const target = compiler.many(ir.target)
  const emitAccess = (access: () => ReturnType<typeof index>, emit: Emit): boolean => {
    const value = ir.optional ? forgiving(access) : access()
    return value === undefined ? false : emit(value)
  }
  if (ir.kind === 'index') {
    const key = compiler.many(ir.key)
    return (input, env, emit) => key(input, env, (at) => target(input, env, (container) => emitAccess(() => index(container, at), emit)))
  }
  const from = compiler.many(ir.from)
  const to = compiler.many(ir.to)
  return (input, env, emit) =>
    from(input, env, (start) =>
      to(input, env, (end) => target(input, env, (container) => emitAccess(() => slice(container, start, end), emit))),
    )
}
