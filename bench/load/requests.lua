-- Sends the requests of a file in turn, repeatedly. Prints the result of wrk as one line of JSON.
-- The file: content type, then for each request its length in bytes and its body, each on a separate line.
local file = assert(io.open(os.getenv("REQUESTS"), "rb"))
local requests, at = {}, 0

function init()
  local headers = {
    ["Content-Type"] = file:read("*l"),
    ["x-api-key"] = os.getenv("API_KEY"),
    ["Authorization"] = os.getenv("AUTHORIZATION"),
    -- Required for uploads only: see the README.
    ["x-graphql-yoga-csrf"] = "1",
  }
  while true do
    local length = file:read("*l")
    if not length then break end
    requests[#requests + 1] = wrk.format("POST", nil, headers, file:read(tonumber(length)))
    file:read("*l")
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%f,"bytes":%d,"failures":%d,"p50Ms":%f,"p99Ms":%f}',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
