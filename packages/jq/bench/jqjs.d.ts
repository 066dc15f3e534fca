declare module '@michaelhomer/jqjs' {
  const jqjs: { compile(program: string): (input: unknown) => Iterable<unknown> }
  export { jqjs as default }
}
