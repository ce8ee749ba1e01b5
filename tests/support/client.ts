import { setUpClient } from '@/data/api/setup'

// Imported by the setup of each test file. Modules are shared in a worker, so this runs once there.
setUpClient()
