import '#src/styles/tokens.css'
import '#src/styles/ui.css'
import '#src/styles/pages.css'
import '#src/styles/flow.css'
import '#src/styles/app.css'
import '#src/styles/building.css'
import '#src/styles/run.css'
import '#src/styles/trust.css'
import '#src/styles/assist.css'
import { boot } from '#src/boot.ts'
import { loadMessages } from '#src/messages/messages.ts'

// Texts first: modules of pages read them while they load.
await loadMessages(boot.locale)
const { start } = await import('#src/app/start.tsx')
start()
