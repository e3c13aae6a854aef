-- Sends the requests of a file in turn, repeatedly. Prints the result of wrk as one line of JSON.
-- The file: content type, then for each request its length in bytes and its body, each on a separate line.
-- CALLERS: the requests belong to that many callers in turn. RATE: requests per second over all connections.
local file = assert(io.open(os.getenv("REQUESTS"), "rb"))
local callers = tonumber(os.getenv("CALLERS") or "1")
local rate = tonumber(os.getenv("RATE") or "0")
local requests, at = {}, 0

function init()
  local headers = {
    ["Content-Type"] = file:read("*l"),
    ["Authorization"] = os.getenv("AUTHORIZATION"),
    -- Required for uploads only: see the README.
    ["x-graphql-yoga-csrf"] = "1",
  }
  local keyHeader, key = os.getenv("API_KEY_HEADER"), os.getenv("API_KEY")
  while true do
    local length = file:read("*l")
    if not length then break end
    local caller = #requests % callers
    headers[keyHeader] = caller == 0 and key or key .. "-" .. caller
    requests[#requests + 1] = wrk.format("POST", nil, headers, file:read(tonumber(length)))
    file:read("*l")
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

if rate > 0 then
  local ffi = require("ffi")
  ffi.cdef("typedef struct { long seconds; long nanoseconds; } folio_time; int clock_gettime(int, folio_time *);")
  local time = ffi.new("folio_time")
  local function milliseconds()
    ffi.C.clock_gettime(1, time)
    return tonumber(time.seconds) * 1000 + tonumber(time.nanoseconds) / 1e6
  end
  local due

  -- Waiting time of a connection before its next request. Late requests are sent immediately, at most 100 ms of them.
  function delay()
    local now = milliseconds()
    due = math.max((due or now) + 1000 / rate, now - 100)
    return math.max(0, math.floor(due - now))
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%f,"bytes":%d,"failures":%d,"p50Ms":%f,"p99Ms":%f}',
    summary.requests, summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
