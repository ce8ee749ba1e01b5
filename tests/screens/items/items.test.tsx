import { itemScreen, makeItem } from '../../support/items'
import { testScreen } from '../../support/test-screen'

testScreen(itemScreen, (backend) => backend.items.push(makeItem({ title: 'Old' })))
