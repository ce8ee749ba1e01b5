import { setUpClient } from '@/data/api/setup'

// Once for all test files of a worker, which share their modules.
setUpClient()
