#include "placements.h"

#include <waymark.h>

#define RAPIDJSON_HAS_STDSTRING 1
#include <rapidjson/document.h>

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>

namespace {

/* More placements than a scene has. */
const std::size_t most = 4096;

/* Copies a text whole, or the characters of it for which there is room; false where it was cut. */
bool copy_text(char *to, std::size_t size, const rapidjson::Value &parent, const char *name)
{
    const auto member = parent.FindMember(name);
    to[0] = 0;
    if (member == parent.MemberEnd() || !member->value.IsString())
        return true;
    std::size_t length = member->value.GetStringLength();
    const char *text = member->value.GetString();
    const bool fits = length < size;
    if (!fits) {
        length = size - 1;
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
            length--;
    }
    std::memcpy(to, text, length);
    to[length] = 0;
    return fits && std::strlen(to) == length;
}

bool read_position(double position[3], const rapidjson::Value &parent)
{
    static const char *const axes[] = {"x", "y", "z"};
    const auto vector = parent.FindMember("position");
    if (vector == parent.MemberEnd() || !vector->value.IsObject())
        return false;
    for (int axis = 0; axis < 3; axis++) {
        const auto component = vector->value.FindMember(axes[axis]);
        if (component == vector->value.MemberEnd() || !component->value.IsNumber())
            return false;
        position[axis] = component->value.GetDouble();
        if (!std::isfinite(position[axis]))
            return false;
    }
    return true;
}

bool read_placement(placement &placement, const rapidjson::Value &value)
{
    std::memset(&placement, 0, sizeof placement);
    if (!value.IsObject() || !copy_text(placement.id, sizeof placement.id, value, "id") || !placement.id[0] ||
        !read_position(placement.position, value))
        return false;
    copy_text(placement.name, sizeof placement.name, value, "name");
    copy_text(placement.kind, sizeof placement.kind, value, "kind");
    const auto lock = value.FindMember("lock");
    placement.is_head_locked =
        lock != value.MemberEnd() && lock->value.IsString() && std::strcmp(lock->value.GetString(), "head") == 0;
    return true;
}

}

struct placements {
    std::mutex lock;
    waymark_subscription *subscription = nullptr;
    std::map<std::string, placement> all;

    ~placements() { waymark_subscription_free(subscription); }

    void take(const waymark_message &message)
    {
        rapidjson::Document document;
        if (document.Parse(message.parameters, message.length).HasParseError() || !document.IsObject())
            return;
        const auto scene = document.FindMember("scene");
        if (scene == document.MemberEnd() || !scene->value.IsObject())
            return;
        const auto snapshot = scene->value.FindMember("snapshot");
        if (snapshot != scene->value.MemberEnd() && snapshot->value.IsTrue())
            all.clear();
        const auto generation = scene->value.FindMember("generation");
        const auto changed = scene->value.FindMember("changed"), removed = scene->value.FindMember("removed");
        if (generation == scene->value.MemberEnd() || !generation->value.IsUint())
            return;
        if (removed != scene->value.MemberEnd() && removed->value.IsArray())
            for (const auto &id : removed->value.GetArray())
                if (id.IsString())
                    all.erase(std::string(id.GetString(), id.GetStringLength()));
        if (changed == scene->value.MemberEnd() || !changed->value.IsArray())
            return;
        for (const auto &value : changed->value.GetArray()) {
            placement placement;
            if (!read_placement(placement, value))
                continue;
            placement.scene_generation = generation->value.GetUint();
            if (all.size() < most || all.count(placement.id))
                all[placement.id] = placement;
        }
    }
};

placements *placements_new(void)
{
    placements *made = new (std::nothrow) placements;
    if (made && waymark_subscription_new(
                    nullptr, WAYMARK_SCENE_SUBSCRIBE, "{\"events\":false,\"hints\":0}", &made->subscription) !=
            WAYMARK_OK) {
        delete made;
        made = nullptr;
    }
    return made;
}

void placements_free(placements *placements)
{
    delete placements;
}

bool placements_update(placements *placements)
{
    const std::lock_guard<std::mutex> guard(placements->lock);
    bool has_changed = false;
    for (;;) {
        waymark_message message;
        switch (waymark_subscription_next(placements->subscription, &message)) {
        case WAYMARK_EVENT_NONE:
            return has_changed;
        case WAYMARK_EVENT_REPLY:
        case WAYMARK_EVENT_LAST_REPLY:
            placements->take(message);
            has_changed = true;
            break;
        case WAYMARK_EVENT_LOST:
        case WAYMARK_EVENT_FAILED:
            placements->all.clear();
            has_changed = true;
            break;
        case WAYMARK_EVENT_CONNECTED:
            break;
        }
    }
}

uint32_t placements_list(placements *placements, uint32_t capacity, placement *list)
{
    const std::lock_guard<std::mutex> guard(placements->lock);
    uint32_t count = 0;
    for (const auto &entry : placements->all) {
        if (count < capacity)
            list[count] = entry.second;
        count++;
    }
    return count;
}

bool placements_find(placements *placements, const char *id, placement *placement)
{
    const std::lock_guard<std::mutex> guard(placements->lock);
    const auto found = placements->all.find(id);
    if (found == placements->all.end())
        return false;
    *placement = found->second;
    return true;
}
