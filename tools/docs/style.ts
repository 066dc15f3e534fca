/** The style of the documentation, for light and dark screens of every width. */
export const style = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #3a3a3a); --soft: light-dark(#f5f5f4, #262626) }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; display: grid; grid-template-columns: 16rem minmax(0, 1fr) }
nav { border-inline-end: 1px solid var(--line); padding: 1rem; font-size: .9rem; height: 100vh; overflow: auto; position: sticky; top: 0; box-sizing: border-box }
nav h2 { font-size: .8rem; margin: 1rem 0 .2rem } nav ul { list-style: none; margin: 0; padding: 0 } nav [aria-current] { font-weight: 600 }
main { padding: 1rem 2rem 4rem; max-width: 52rem }
pre { background: var(--soft); padding: .8rem 1rem; overflow: auto; border-radius: 6px } code { font: .9em ui-monospace, monospace }
table { border-collapse: collapse; display: block; overflow: auto } td, th { border: 1px solid var(--line); padding: .3rem .6rem; vertical-align: top; text-align: start }
a { color: light-dark(#0b5fa5, #7ab8f5) }
@media (max-width: 50rem) { body { display: block } nav { height: auto; position: static; border: 0; border-block-end: 1px solid var(--line) } main { padding: 1rem } }
`.replaceAll('\n', ' ')
