import { itemScreen, makeItem } from '../../../tests/support/items'
import { testScreen } from '../../../tests/support/test-screen'

testScreen(itemScreen, (backend) => backend.items.push(makeItem({ title: 'Old' })))
